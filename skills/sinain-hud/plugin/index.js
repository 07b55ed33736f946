/**
 * OpenClaw plugin: keeps private text out of stored sessions, and calls koog around runs.  [sinain §3]
 *
 * Two rules hold everywhere. A synchronous hook starts no process: it would freeze the whole gateway. An
 * asynchronous hook shells out to `koog hook EVENT` within a limit far below the host's, and fails open: whatever
 * goes wrong, the agent goes on as if the plugin were not there, and the log says so once.
 */

import * as events from "./events.js";
import { findProgram, runHook } from "./koog.js";
import { cleanMessage, cleanText } from "./privacy.js";
import { Memory } from "./runs.js";

// The host's own limits: 15 s for prompt hooks, 30 s for agent_end and compaction, 2 s for all session_end handlers
// together at shutdown, none for session_start. koog answers within 0.8 s, at a session's start within 3 s.
const LIMIT_MS = 5000;
const SESSION_END_LIMIT_MS = 1500;
// 2026.7 compares the reply it sent with the one it stored, and stores it again, unread, when they differ.
const STORES_REPLIES_TWICE = /^2026\.[1-7]\./;

export default {
  id: "sinain-hud",
  name: "sinain-hud",
  description: "Keeps private text out of stored sessions and calls koog around runs.",

  /** @param {any} api the host's plugin API */
  register(api) {
    const plugin = { api, config: api.pluginConfig ?? {}, memory: new Memory(), running: new Map(), told: new Set() };
    onMessages(plugin);
    for (const [name, handler] of Object.entries(asynchronous(plugin))) {
      api.on(name, async (event, ctx = {}) => {
        try {
          return events.concerns(plugin.config, event, ctx) ? await handler(event, ctx) : undefined;
        } catch (error) {
          complain(plugin, name, String(error));
          return undefined;
        }
      });
    }
    api.on("resolve_exec_env", events.execVariables);
    api.on("gateway_start", () => plugin.memory.clear());
    api.on("gateway_stop", () => {
      for (const [stop, event] of [...plugin.running]) if (event !== "session-end") stop(); // those have 1.5 s
      plugin.memory.clear();
    });
  },
};

/** Synchronous: what is stored, and the count of tool calls. No process, no file. */
function onMessages({ api, memory }) {
  const repliesTwice = STORES_REPLIES_TWICE.test(api.runtime?.version ?? "");

  api.on("tool_result_persist", (event, ctx) => {
    if (ctx?.sessionKey && !event.isSynthetic) memory.countTool(ctx.sessionKey, event.toolName ?? ctx.toolName);
    return replacement(event.message);
  });
  api.on("before_message_write", (event) => {
    const isReply = event.message?.role === "assistant" && event.message.stopReason !== "toolUse";
    return repliesTwice && isReply ? undefined : replacement(event.message);
  });
}

/** The message without what is private, nothing when there was none. */
function replacement(message) {
  const cleaned = cleanMessage(message);
  return cleaned === message ? undefined : { message: cleaned };
}

/** Asynchronous: each tells koog one event. */
function asynchronous(plugin) {
  const { api, config, memory } = plugin;
  const call = (name, event, ctx, more) => callKoog(plugin, name, { event, ctx, more });

  /** Sync what the config names; without such a name there is nothing to start. */
  const start = async (run, event, ctx) => {
    if (run.started || !events.hasSources(api, config)) return null;
    run.started = true;
    return call("agent-start", event, ctx, events.prompt(event, ctx));
  };

  const flush = (event, ctx) => call("pre-compaction", event, ctx, events.compaction(event));

  return {
    /**
     * Once for each attempt of a run: koog is asked once, and again after a compaction in it. The text goes into the
     * system prompt, the same on each turn of a session; on a turn on which koog
     * has no answer the last one does.
     */
    before_prompt_build: async (event, ctx) => {
      const key = events.sessionName(event, ctx);
      const run = memory.begin(ctx.runId ?? event.runId, key);
      const session = memory.told(key);
      if (run.asked === session.since && run.asked !== null) return answerOf(session, run);
      const asked = { ...events.prompt(event, ctx), since: session.since };
      const [, built] = await Promise.all([start(run, event, ctx), call("prompt-build", event, ctx, asked)]);
      if (built && "appendSystemContext" in built) session.text = built.appendSystemContext; // else it had no time
      run.note = built?.prependContext ?? run.note; // for this run alone
      run.asked = built ? session.since : null;
      return answerOf(session, run);
    },

    /** Once for each attempt of a run: told again only when a failure became a success after all. */
    agent_end: async (event, ctx) => {
      const run = memory.run(ctx.runId ?? event.runId);
      const key = events.sessionName(event, ctx);
      const success = event.success === true;
      if (run.success === true || run.success === success) return;
      run.success = success;
      const ended = events.summary(event, memory.session(key));
      if (success) memory.forgetSession(key); // after a failure the run may go on, with these tool calls its own
      await call("agent-end", event, ctx, ended);
    },

    before_compaction: async (event, ctx) => {
      memory.renew(events.sessionName(event, ctx));
      if (!(await flush(event, ctx))) memory.unflushed.add(events.sessionName(event, ctx));
    },

    /** What the flush before it could not do is tried once more: the records are still in the store. */
    after_compaction: async (event, ctx) => {
      if (memory.unflushed.delete(events.sessionName(event, ctx))) await flush(event, ctx);
    },

    session_start: async (event, ctx) => {
      memory.session(events.sessionName(event, ctx));
      await call("session-start", event, ctx, { resumedFrom: event.resumedFrom ?? null });
    },

    session_end: async (event, ctx) => {
      memory.forgetSession(events.sessionName(event, ctx));
      memory.renew(events.sessionName(event, ctx));
      await call("session-end", event, ctx, events.sessionEnd(event));
    },
  };
}

function answerOf({ text }, { note }) {
  const told = (value) => typeof value === "string" && value.trim() !== "";
  const answer = { ...(told(text) && { appendSystemContext: text }), ...(told(note) && { prependContext: note }) };
  return Object.keys(answer).length ? answer : undefined;
}

/**
 * Send one event to koog; return its reply, null when there is none.
 *
 * @returns {Promise<Record<string, any> | null>}
 */
async function callKoog(plugin, name, { event, ctx, more }) {
  const { api, config, memory, running } = plugin;
  const workspace = events.workspaceOf({ api, memory, event, ctx });
  const program = findProgram(events.sourcePath(api, config.koogPath));
  if (!workspace || !program) {
    complain(plugin, name, workspace ? "no program koog in koogPath or on PATH" : "no workspace known");
    return null;
  }
  const payload = { ...events.facts(name, { event, ctx, workspace }), ...more, config, stateDir: events.stateFolder(api) };
  const limitMs = name === "session-end" ? SESSION_END_LIMIT_MS : LIMIT_MS;
  const { reply, problem } = await runHook({ program, event: name, payload, workspace, limitMs, running });
  if (problem) complain(plugin, name, cleanText(problem));
  return reply;
}

/** A warning the first time; after that it is no news. */
function complain({ api, told }, event, problem) {
  const say = told.has(event) ? api.logger.debug : api.logger.warn;
  told.add(event);
  say?.call(api.logger, `koog: hook ${event}: ${problem}; the agent goes on without it`);
}
