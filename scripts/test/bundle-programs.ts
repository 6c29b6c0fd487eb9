import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** As deep as the sources that look for files beside them (core/migrations.ts, server/app.ts). */
const FOLDER = path.join(REPOSITORY, 'dist')

/**
 * Server and worker with all that they import, and answers their folder. The tests start them some hundred times, and Node spends
 * most of a start on finding and reading two thousand modules.
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
          // Each start reads all of it. Names stay, for those who read a stack.
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
        // It looks for the files of its screens beside itself.
        external: [/^@bull-board\//],
      },
    },
  })
  return FOLDER
}
