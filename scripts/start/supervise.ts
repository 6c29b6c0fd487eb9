import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { endProcess, spawnScript, type Variables } from '../lab/spawn-script.ts'
import { duration } from '../services/step.ts'
import { createBackoff } from './backoff.ts'
import { followLog } from './follow-log.ts'
import { createLogView } from './show-log-line.ts'

const START_TIMEOUT_MS = 60_000

export interface Program {
  name: string
  script: string
  env: Variables
  logFile: string
  /** Called several times a second with all output of the program. */
  isReady: (lines: readonly string[]) => boolean | Promise<boolean>
}

/** Another program took the port between our choice and the bind. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'
}

export interface Supervised {
  /** Rejects when the first start fails. */
  ready: Promise<void>
  stop: () => Promise<void>
}

/** Runs one of our programs. Once it was ready, it is restarted whenever it ends, with a message. */
export function supervise(program: Program): Supervised {
  const stopping = new AbortController()
  let child = launch(program)
  const watch = watchOver()
  return {
    ready: untilReady(program, child),
    stop: async () => {
      stopping.abort()
      await endProcess(child.process)
      await watch
    },
  }

  async function watchOver(): Promise<void> {
    const nextPause = createBackoff()
    for (let isFirst = true; ; isFirst = false) {
      const how = await child.ended
      // untilReady reports a first start that fails, and nothing else runs yet.
      if (stopping.signal.aborted || (isFirst && !child.wasReady())) return
      const endedAt = performance.now()
      const pauseMs = nextPause()
      console.error(
        `✗ The ${program.name} ended (${how}); starting it again in ${pauseMs / 1000} s. Log: ${program.logFile}`,
      )
      // Rejects when everything is being stopped; the check below then ends the watch.
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      child = launch(program)
      void untilReady(program, child).then(
        () => console.log(`✓ The ${program.name} is back after ${duration(performance.now() - endedAt)}`),
        // The program has ended, which the next round reports, or it was stopped because it never became ready.
        () => undefined,
      )
    }
  }
}

interface Launched {
  process: ChildProcess
  lines: string[]
  ended: Promise<string>
  wasReady: () => boolean
  markReady: () => void
}

function launch(program: Program): Launched {
  const log = openSync(program.logFile, 'a', 0o600)
  const lines: string[] = []
  let ready = false
  const view = createLogView(program.name)
  const stopFollowing = followLog(program.logFile, (line) => {
    if (!ready) lines.push(line)
    view.show(line)
  })
  // Ctrl-C must not reach it before we stop everything in order.
  const child = spawnScript(program, { output: log, detached: process.platform !== 'win32' })
  closeSync(log)
  const ended = once(child, 'exit').then(([code, signal]: (number | string | null)[]) => {
    stopFollowing()
    view.end()
    return signal === null ? `status ${String(code)}` : String(signal)
  })
  const markReady = () => {
    ready = true
    lines.length = 0
  }
  return { process: child, lines, ended, wasReady: () => ready, markReady }
}

async function untilReady(program: Program, child: Launched): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let how: string | undefined
  void child.ended.then((reason) => {
    how = reason
  })
  while (!(await program.isReady(child.lines))) {
    if (how !== undefined) {
      const message = `The ${program.name} did not start (${how}). Log: ${program.logFile}`
      const isPortTaken = child.lines.some((line) => /EADDRINUSE|Port \d+ is taken/.test(line))
      throw isPortTaken ? new PortTakenError(message) : new Error(message)
    }
    if (Date.now() > deadline) {
      await endProcess(child.process)
      throw new Error(
        `The ${program.name} was not ready after ${START_TIMEOUT_MS / 1000} s. Log: ${program.logFile}`,
      )
    }
    await delay(50)
  }
  child.markReady()
}
