import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../services/run-command.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/**
 * Programs that tests kill, beside server and worker: a killed process leaves nothing in the compile cache.
 */
const KILLED = ['core/endpoint/isolated/exchange-process.ts', 'worker/alone/alone-process.ts']

/** Loads each program once and lets it end by itself, so that later ones find its compiled code. */
export async function fillCompileCache(bundles: string): Promise<void> {
  const load = 'await import(process.argv[1]); process.exit()'
  // Without variables server and worker load, and then refuse to start.
  const { PATH, NODE_COMPILE_CACHE } = process.env
  for (const program of [...KILLED, path.join(bundles, 'server.mjs'), path.join(bundles, 'worker.mjs')])
    await runCommand(
      process.execPath,
      ['--input-type=module', '-e', load, path.resolve(REPOSITORY, program)],
      {
        cwd: REPOSITORY,
        env: { PATH, NODE_COMPILE_CACHE },
      },
    )
}
