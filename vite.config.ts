import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { bringParts } from './scripts/app-build/bring-parts.ts'
import { groupChunks } from './scripts/app-build/group-chunks.ts'
import { holdBudgets } from './scripts/app-build/hold-budgets.ts'
import { leaveOutAuthParts } from './scripts/app-build/leave-out-auth-parts.ts'
import { packFiles } from './scripts/app-build/pack-files.ts'

/** The server that `npm run dev` starts. */
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const serverPaths = [
  '/api/v1',
  '/auth/v1',
  '/functions/v1',
  '/storage/v1',
  '/healthz',
  '/readyz',
  '/dev/mailbox',
]

const packed: Plugin = {
  name: 'pack-files',
  async writeBundle({ dir = '' }, bundle) {
    await packFiles(
      dir,
      Object.keys(bundle).filter((name) => name.startsWith('assets/')),
    )
  },
}

export default defineConfig({
  root: 'web',
  resolve: {
    // A smaller zod (docs/decisions/0024).
    alias: [{ find: /^zod$/, replacement: path.resolve('web/app/small-zod.ts') }],
  },
  plugins: [react(), tailwindcss(), leaveOutAuthParts, bringParts(), holdBudgets(), packed],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The folder .vite gets the licences of the packages in the app.
    license: true,
    target: 'es2022',
    // For debugging there is `npm run dev`; the build is public.
    sourcemap: false,
    // A data: URL would need an exception in the content policy.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: groupChunks(path.resolve('web')) } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      ...Object.fromEntries(serverPaths.map((path) => [path, server])),
      '/realtime/v1': { target: server, ws: true },
      // Forms of the public pages. scripts/site/serve-dev-site.ts serves the pages themselves.
      '^/(contact|webinars)$': server,
    },
  },
})
