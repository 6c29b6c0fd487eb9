import { runScript, type ScriptEnd } from '#scripts/lab/run-script.ts'

/** Runs `leadwire` as a process of its own, as `npm run leadwire -- …` does. */
export async function runLeadwire(env: Record<string, string>, ...args: string[]): Promise<ScriptEnd> {
  return await runScript({ script: 'scripts/leadwire.ts', args, env })
}

/** The one line of JSON that a command with `--json` prints. */
export function readJson(end: ScriptEnd): Record<string, unknown> {
  return JSON.parse(end.stdout) as Record<string, unknown>
}
