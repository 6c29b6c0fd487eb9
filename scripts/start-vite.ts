/** Vite with the public pages in front; `npm run dev` runs it beside the server (scripts/dev.ts). */
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { createServer } from 'vite'
import { serveDevSite } from './site/serve-dev-site.ts'

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const server = await createServer({
  configFile: path.join(REPOSITORY, 'vite.config.ts'),
  plugins: [serveDevSite(REPOSITORY)],
})
await server.listen()
server.printUrls()
