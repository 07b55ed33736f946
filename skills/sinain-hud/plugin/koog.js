/**
 * One call of `koog hook EVENT`: JSON on stdin, JSON on stdout, never longer than its limit, never an exception.
 *
 * No shell; the program is an absolute path. A call that fails in any way answers null: the agent goes on.
 */

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

const LONGEST_ANSWER = 1024 * 1024; // bytes of stdout; a program that says more is broken
const LONGEST_COMPLAINT = 2000; // characters of stderr for the log
const GRACE_MS = 100; // after its end: what koog leaves running may hold the pipe, the answer is complete all the same

/**
 * @typedef {object} Answer
 * @property {Record<string, any> | null} reply what koog printed; null when the call failed
 * @property {string | null} problem why it failed
 */

/**
 * Run `koog hook EVENT` and return its answer.
 *
 * @param {object} call
 * @param {string} call.program absolute path
 * @param {string} call.event agent-start, prompt-build, pre-compaction, agent-end, session-start or session-end
 * @param {object} call.payload goes to stdin as one line of JSON
 * @param {string} call.workspace absolute path, the working directory and KOOG_WORKSPACE
 * @param {number} call.limitMs the program and its process group are killed past it
 * @param {Map<() => void, string>} call.running how to end a call → its event, while it runs
 * @returns {Promise<Answer>}
 */
export function runHook({ program, event, payload, workspace, limitMs, running }) {
  return new Promise((resolve) => {
    let child;
    try {
      child = spawn(program, ["hook", event], {
        cwd: workspace,
        env: { ...process.env, KOOG_WORKSPACE: workspace },
        stdio: ["pipe", "pipe", "pipe"],
        detached: process.platform !== "win32", // a process group of its own, to be killed as a whole
        windowsHide: true,
      });
    } catch (error) {
      resolve({ reply: null, problem: String(error) });
      return;
    }
    const out = [];
    let size = 0;
    let complaint = "";
    let settled = false;
    let grace;
    const settle = (answer) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(grace);
      running.delete(stop);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve(answer);
    };
    const fail = (problem) => {
      kill(child);
      settle({ reply: null, problem: complaint ? `${problem}: ${complaint.trim()}` : problem });
    };
    const stop = () => fail("stopped with the gateway");
    const timer = setTimeout(() => fail(`no answer within ${limitMs} ms`), limitMs);
    const finish = (code) => {
      if (!settled) settle(parse(Buffer.concat(out).toString("utf8"), { code, complaint }));
    };
    const linger = (code) => {
      grace = setTimeout(finish, GRACE_MS, code);
    };

    running.set(stop, event);
    child.on("error", (error) => fail(String(error)));
    child.on("close", finish);
    child.on("exit", linger);
    child.stdout.on("data", (chunk) => {
      size += chunk.length;
      if (size > LONGEST_ANSWER) fail(`more than ${LONGEST_ANSWER} bytes of answer`);
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-LONGEST_COMPLAINT);
    });
    child.stdin.on("error", () => {}); // EPIPE: it ended without reading, which its answer or exit code explains
    child.stdin.end(`${JSON.stringify(payload)}\n`);
  });
}

/** @param {string} text @param {{ code: number | null, complaint: string }} end @returns {Answer} */
function parse(text, { code, complaint }) {
  if (code !== 0) return { reply: null, problem: `ended with ${code ?? "a signal"}: ${complaint.trim()}` };
  if (!text.trim()) return { reply: {}, problem: null };
  try {
    const reply = JSON.parse(text);
    if (reply !== null && typeof reply === "object" && !Array.isArray(reply)) return { reply, problem: null };
  } catch {
    // falls through: what was printed is no JSON
  }
  return { reply: null, problem: "printed something other than one JSON object" };
}

/** @param {import("node:child_process").ChildProcess} child */
function kill(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // the group is not there yet, or no longer
  }
}

/**
 * Return the program to run: the configured one, bin/koog of the configured checkout, else koog from an absolute
 * folder of PATH.
 *
 * @param {string | null} koogPath absolute path, or null where none is configured
 * @param {string} [path] the PATH to search
 * @returns {string | null}
 */
export function findProgram(koogPath, path = process.env.PATH ?? "") {
  const configured = koogPath ? [join(koogPath, "bin", "koog"), join(koogPath, "koog"), koogPath] : [];
  const onPath = path.split(delimiter).filter(isAbsolute).map((folder) => join(folder, "koog"));
  return [...configured, ...onPath].find(isProgram) ?? null;
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
