import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** At the same depth as the sources that look for files beside them (core/migrations.ts, server/app.ts). */
const FOLDER = path.join(REPOSITORY, 'dist')

/**
 * Bundles server and worker with all their imports; returns the folder. The tests start them some hundred
 * times, and Node spends most of a start on finding and reading two thousand modules.
 */
export async function bundlePrograms(): Promise<string> {
  await build({
    root: REPOSITORY,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: FOLDER,
      emptyOutDir: false,
      rolldownOptions: {
        input: { server: 'server/main.ts', worker: 'worker/main.ts' },
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: 'part-[name].mjs',
          // Each start reads the whole bundle. Names stay, for readable stack traces.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
        // Bull Board looks for the files of its screens beside its own code.
        external: [/^@bull-board\//],
      },
    },
  })
  return FOLDER
}
