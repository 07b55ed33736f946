/**
 * What the plugin remembers between two hooks: each session's tool calls, each run's answers.  [sinain §3.5]
 *
 * In memory only and bounded. Sessions are kept by session key, the one name that every hook is given:
 * `tool_result_persist` knows no session id.
 */

const MOST = 500; // sessions and runs; the oldest goes first

/**
 * @typedef {object} SessionState
 * @property {number} startedAt epoch milliseconds
 * @property {Map<string, number>} toolUsage tool → calls since the run began
 */

/**
 * @typedef {object} RunState
 * @property {boolean} begun its first hook has come
 * @property {boolean} started agent-start was sent
 * @property {boolean} answered prompt-build was answered, with context or without
 * @property {string | null} owner the hook that gives this run its context; the other one gives none
 * @property {string | null} context what it gave, given again when an attempt is repeated
 * @property {boolean | null} success how the run ended as far as koog was told, null while it was told nothing
 */

export class Memory {
  /** @type {Map<string, SessionState>} */
  sessions = new Map();
  /** @type {Map<string, RunState>} */
  runs = new Map();
  /** @type {Map<string, string>} agent → its workspace: hooks of sessions are not told */
  workspaces = new Map();
  /** @type {Set<string>} sessions whose flush before compaction failed */
  unflushed = new Set();

  /** @param {string} key @returns {SessionState} */
  session(key) {
    return entry(this.sessions, key, () => ({ startedAt: Date.now(), toolUsage: new Map() }));
  }

  /** A run that the host gave no id is a run of its own each time. @param {string | undefined} id @returns {RunState} */
  run(id) {
    const make = () => ({ begun: false, started: false, answered: false, owner: null, context: null, success: null });
    return id ? entry(this.runs, id, make) : make();
  }

  /** A run's tool calls are counted from its first hook. @param {string | undefined} id @param {string} key */
  begin(id, key) {
    const run = this.run(id);
    if (!run.begun) this.sessions.delete(key);
    run.begun = true;
    return run;
  }

  /** @param {string} key @param {string | undefined} tool */
  countTool(key, tool) {
    const { toolUsage } = this.session(key);
    const name = tool || "unknown";
    toolUsage.set(name, (toolUsage.get(name) ?? 0) + 1);
  }

  /** @param {string} key */
  forgetSession(key) {
    this.sessions.delete(key);
    this.unflushed.delete(key);
  }

  clear() {
    for (const kept of [this.sessions, this.runs, this.workspaces, this.unflushed]) kept.clear();
  }
}

/**
 * Return an entry of a bounded map, made when it is missing.
 *
 * @template T
 * @param {Map<string, T>} map
 * @param {string} key
 * @param {() => T} make
 * @returns {T}
 */
function entry(map, key, make) {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
    if (map.size > MOST) map.delete(map.keys().next().value);
  }
  return value;
}

/** The first hook of a run that has context owns it; the other one gives none, so that nothing stands there twice. */
export function offer(run, hook, reply) {
  const context = reply?.prependContext;
  if (typeof context === "string" && context.trim() && !run.owner) {
    run.owner = hook;
    run.context = context;
  }
  return contextOf(run, hook);
}

/** What a hook gives a run whose context is known: again for a repeated attempt, nothing from the other hook. */
export function contextOf(run, hook) {
  return run.owner === hook ? { prependContext: run.context } : undefined;
}
