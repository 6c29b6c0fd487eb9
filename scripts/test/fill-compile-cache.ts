import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../services/run-command.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** The programs that tests kill, beside server and worker: a killed process leaves nothing in the compile cache for the next one. */
const KILLED = ['core/endpoint/apart/exchange-process.ts', 'worker/alone/alone-process.ts']

/** Loads each program once and lets it end by itself, so that all later ones find what it has compiled. */
export async function fillCompileCache(bundles: string): Promise<void> {
  const load = 'await import(process.argv[1]); process.exit()'
  // Without variables server and worker refuse to start, once they are loaded.
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
