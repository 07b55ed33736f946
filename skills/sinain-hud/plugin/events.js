/**
 * What koog is told of a hook: one flat JSON object, its keys those of session-summaries.jsonl.  [sinain §3.7]
 *
 * Pure but for the clock and the folders it looks up. Nothing of the conversation goes along but the prompt of a run.
 */

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

import { cleanText } from "./privacy.js";

const LONGEST_PROMPT = 8000; // characters
const LONGEST_ERROR = 2000; // characters
const LEFT_ALONE_TRIGGERS = new Set(["cron", "memory"]); // scheduled jobs, and the host's own memory flush
const LEFT_ALONE_SESSION = /:(?:cron|subagent|acp|hook):/;

/**
 * Cron jobs, subagents, what a mail or a web page began, and the host's own memory flush are left alone; so is all but
 * the configured session.
 */
export function concerns(config, event, ctx) {
  const key = ctx.sessionKey ?? event.sessionKey ?? "";
  if (LEFT_ALONE_TRIGGERS.has(ctx.trigger) || LEFT_ALONE_SESSION.test(key)) return false;
  return !config.sessionKey || config.sessionKey === key;
}

/** The one name of a session that every hook is given. */
export function sessionName(event, ctx) {
  return ctx.sessionKey ?? event.sessionKey ?? ctx.sessionId ?? event.sessionId ?? "";
}

/** What every event says: who, where, when. */
export function facts(name, { event, ctx, workspace }) {
  return {
    host: "openclaw",
    event: name,
    ts: new Date().toISOString(),
    runId: ctx.runId ?? event.runId ?? null,
    sessionId: ctx.sessionId ?? event.sessionId ?? null,
    sessionKey: ctx.sessionKey ?? event.sessionKey ?? null,
    agentId: ctx.agentId ?? null,
    trigger: ctx.trigger ?? null,
    workspaceDir: workspace,
  };
}

/** What was said, and whether the agent's owner said it, where the host tells: koog takes approvals of nobody else. */
export function prompt(event, ctx) {
  return {
    prompt: typeof event.prompt === "string" ? cleanText(event.prompt).slice(0, LONGEST_PROMPT) : null,
    senderIsOwner: ctx.senderIsOwner ?? ctx.requester?.senderIsOwner ?? null,
  };
}

/**
 * How an attempt of a run went.
 *
 * @param {any} event agent_end's
 * @param {import("./runs.js").SessionState} session
 */
export function summary(event, session) {
  return {
    durationMs: event.durationMs ?? Date.now() - session.startedAt,
    success: event.success === true,
    error: event.error ? cleanText(String(event.error)).slice(0, LONGEST_ERROR) : null,
    toolCallCount: [...session.toolUsage.values()].reduce((sum, calls) => sum + calls, 0),
    toolBreakdown: Object.fromEntries(session.toolUsage),
    messageCount: event.messages?.length ?? 0,
  };
}

export function compaction(event) {
  return { messageCount: event.messageCount ?? null, tokenCount: event.tokenCount ?? null };
}

export function sessionEnd(event) {
  return {
    reason: event.reason ?? null,
    nextSessionId: event.nextSessionId ?? null,
    messageCount: event.messageCount ?? null,
    durationMs: event.durationMs ?? null,
  };
}

// --- folders

/** The host's state directory, where the config's relative paths start. */
export function stateFolder(api) {
  const told = api.runtime?.state?.resolveStateDir?.() ?? process.env.OPENCLAW_STATE_DIR;
  return told ?? join(homedir(), ".openclaw");
}

/** The absolute path of one of the config's paths, null for one that is not set. */
export function sourcePath(api, path) {
  if (!path) return null;
  const whole = expanded(path);
  return isAbsolute(whole) ? whole : resolve(stateFolder(api), whole);
}

/** Does the config name anything to sync into the workspace? A program as koogPath is nothing to sync.  [sinain §3.1] */
export function hasSources(api, config) {
  const scripts = sourcePath(api, config.koogPath);
  if (scripts && statSync(scripts, { throwIfNoEntry: false })?.isDirectory()) return true;
  return Boolean(config.heartbeatPath || config.skillPath || config.modulesPath);
}

/** The run's own workspace; for the hooks of sessions, which are not told, their agent's last or configured one. */
export function workspaceOf({ api, memory, ctx }) {
  const agent = ctx.agentId ?? "main";
  if (ctx.workspaceDir) memory.workspaces.set(agent, ctx.workspaceDir);
  const agents = api.config?.agents ?? {};
  const configured = agents.list?.find?.((each) => each.id === agent)?.workspace ?? agents.defaults?.workspace;
  const found = memory.workspaces.get(agent) ?? configured ?? process.env.KOOG_WORKSPACE;
  return found ? resolve(expanded(found)) : null;
}

function expanded(path) {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
