/** Makes the public pages after `vite build` (package.json, `build`). */
import { buildSite } from './site/build-site.ts'

await buildSite()
