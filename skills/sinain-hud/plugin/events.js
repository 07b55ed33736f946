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
const AGENT_OF_KEY = /^agent:([^:]+):./i;
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

/**
 * What every event says: who, where, when. The host's contexts name no kind of chat; a channel may, of its own chat
 * (PluginHookAgentContext and PluginHookChannelContext in src/plugins/hook-types.ts of openclaw/openclaw).
 */
export function facts(name, { event, ctx, workspace }) {
  return {
    host: "openclaw",
    event: name,
    ts: new Date().toISOString(),
    runId: ctx.runId ?? event.runId ?? null,
    sessionId: ctx.sessionId ?? event.sessionId ?? null,
    sessionKey: ctx.sessionKey ?? event.sessionKey ?? null,
    agentId: ctx.agentId ?? null,
    chatType: ctx.chatType ?? event.chatType ?? ctx.channelContext?.chat?.chatType ?? null,
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

/** What a command of the agent is told: in which session it was started. In a group koog tells it what the group's is. */
export function execVariables(event, ctx) {
  const key = ctx?.sessionKey ?? event?.sessionKey;
  const found = { ...(ctx?.sessionId ? { KOOG_SESSION_ID: ctx.sessionId } : {}), ...(key ? { KOOG_SESSION_KEY: key } : {}) };
  return Object.keys(found).length ? found : undefined;
}

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
  if (scripts && isFolder(scripts)) return true;
  return Boolean(config.heartbeatPath || config.skillPath || config.modulesPath);
}

/** The run's own workspace; for the hooks of sessions, which are not told, their agent's last or configured one. */
export function workspaceOf({ api, memory, event, ctx }) {
  const { agent, configured, usual } = agentOf(api, event, ctx);
  if (ctx.workspaceDir) memory.workspaces.set(agent, ctx.workspaceDir);
  const found = memory.workspaces.get(agent) ?? configured ?? process.env.KOOG_WORKSPACE ?? usual;
  return found ? resolve(expanded(found)) : null;
}

/**
 * The session's agent, and where it works: by the host's settings, or where the host puts an agent that has none.
 * As koog/sessions/agents.py has it, by src/agents/agent-scope-config.ts of openclaw/openclaw.
 */
function agentOf(api, event, ctx) {
  const settings = api.config?.agents ?? {};
  const known = knownAgents(settings);
  const main = ([...known].find(([, row]) => row.default === true) ?? [...known][0])?.[0] ?? "main";
  const named = AGENT_OF_KEY.exec(ctx.sessionKey ?? event.sessionKey ?? "")?.[1] ?? ctx.agentId ?? main;
  const agent = named.toLowerCase();
  const shared = text(settings.defaults?.workspace);
  const inShared = shared && agent !== main ? join(shared, agent) : shared;
  const folder = join(stateFolder(api), agent === main ? "workspace" : `workspace-${agent}`);
  return { agent, configured: text(known.get(agent)?.workspace) ?? inShared, usual: isFolder(folder) ? folder : null };
}

/** Agent → its settings, of `agents.entries` (2026.9) and `agents.list`. */
function knownAgents(settings) {
  const listed = Array.isArray(settings.list) ? settings.list.map((row) => [row?.id, row]) : [];
  const rows = [...listed, ...Object.entries(settings.entries ?? {})];
  return new Map(rows.filter(([id]) => typeof id === "string" && id).map(([id, row]) => [id.toLowerCase(), row ?? {}]));
}

function text(value) {
  return typeof value === "string" && value.trim() ? value.trim() : null;
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function expanded(path) {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}
