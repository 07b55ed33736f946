/**
 * A small OpenClaw: loads a plugin as the gateway does and fires hooks at it by their signatures.
 *
 * stdin   {"plugin": DIR, "version": "2026.9.6", "config": {…}, "pluginConfig": {…}, "allowConversationAccess": true,
 *          "calls": [call, …]}
 *         call = {"hook", "event", "ctx", "times": 1, "together": false}; together: not waited for before the next one
 * stdout  {"answers": [each call's], "warnings": […], "unknown": [hooks], "blocked": [hooks],
 *          "children": processes that were started while the synchronous hooks ran}
 *
 * As in the gateway: an unknown hook is ignored with a warning, hooks that read conversations need permission, a late
 * or failing handler is dropped, and a synchronous hook's promise is ignored.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SYNCHRONOUS = ["tool_result_persist", "before_message_write"];
const CONVERSATION = ["before_prompt_build", "agent_end"];
const LIMITS = { before_prompt_build: 15000, agent_end: 30000, before_compaction: 30000, after_compaction: 30000, session_end: 2000 };
const KNOWN = [
  ...SYNCHRONOUS, ...CONVERSATION, "before_compaction", "after_compaction", "session_start", "session_end",
  "resolve_exec_env", "gateway_start", "gateway_stop",
];

const scene = JSON.parse(readFileSync(0, "utf8"));
const manifest = JSON.parse(readFileSync(join(scene.plugin, "openclaw.plugin.json"), "utf8"));
const { openclaw } = JSON.parse(readFileSync(join(scene.plugin, "package.json"), "utf8"));
const known = scene.version.startsWith("2026.7") ? [...KNOWN, "before_agent_start"] : KNOWN;
const told = { answers: [], warnings: [], unknown: [], blocked: [], children: 0 };
const hooks = new Map();

for (const key of Object.keys(scene.pluginConfig ?? {})) {
  if (!(key in manifest.configSchema.properties)) throw new Error(`the manifest knows no ${key}`);
}
const log = (message) => told.warnings.push(message);
const api = {
  id: manifest.id,
  config: scene.config ?? {},
  pluginConfig: scene.pluginConfig,
  runtime: { version: scene.version },
  logger: { debug: () => {}, info: () => {}, warn: log, error: log },
  on(name, handler) {
    if (!known.includes(name)) told.unknown.push(name);
    else if (CONVERSATION.includes(name) && !scene.allowConversationAccess) told.blocked.push(name);
    else hooks.set(name, [...(hooks.get(name) ?? []), handler]);
  },
};
for (const entry of openclaw.extensions) {
  const { default: plugin } = await import(pathToFileURL(join(scene.plugin, entry)));
  plugin.register(api);
}

function fireNow(hook, event, ctx) {
  for (const handler of hooks.get(hook) ?? []) {
    const answer = handler(event, ctx);
    if (typeof answer?.then === "function") log(`${hook}: a promise is ignored`);
    else if (answer?.message) event = { ...event, message: answer.message };
  }
  return { message: event.message };
}

async function fire(hook, event, ctx) {
  let merged = null;
  for (const handler of hooks.get(hook) ?? []) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(reject, LIMITS[hook] ?? 60000, new Error("timed out"));
    });
    try {
      const answer = await Promise.race([handler(event, ctx), late]);
      if (answer !== undefined) merged = { ...merged, ...answer };
    } catch (error) {
      log(`${hook} failed: ${error.message}`);
    } finally {
      clearTimeout(timer);
    }
  }
  return merged;
}

const processes = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
const pending = [];
for (const [i, { hook, event, ctx, times = 1, together = false }] of scene.calls.entries()) {
  const ended = (answer) => {
    told.answers[i] = answer ?? null;
  };
  if (SYNCHRONOUS.includes(hook)) {
    const before = processes();
    let answer;
    for (let n = 0; n < times; n++) answer = fireNow(hook, structuredClone(event), ctx);
    told.children += Math.max(0, processes() - before);
    ended(answer);
  } else {
    const done = fire(hook, event, ctx).then(ended);
    pending.push(done);
    if (!together) await done;
  }
}
await Promise.all(pending);
process.stdout.write(JSON.stringify(told));
