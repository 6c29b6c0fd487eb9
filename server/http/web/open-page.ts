import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { nameAppPath } from './name-app-path.ts'
import { PRELOADS_FILE, type Preloads } from '#core/contract/site.ts'

/** The tag as it is in web/index.html; the build may drop the slash. */
const AUTH_PATH = /<meta name="leadwire-auth" content="[^"]*" ?\/?>/

/** Screens whose forms depend on the service's settings. */
const SIGN_IN = new Set(['auth', 'adminAuth', 'secureSignup'])

/**
 * The page of the built web app for a path. It names at once all files that the path's screen needs;
 * otherwise a browser would discover them one after the other. Undefined if the app is not built.
 * @param authPath the path of the authentication service, for the page to find it
 */
export async function openPage(
  folder: string,
  pathname: string,
  authPath: string,
): Promise<string | undefined> {
  const page = await readBuilt(path.join(folder, 'index.html'))
  if (page === undefined) return undefined
  const screen = nameAppPath(pathname) ?? ''
  const preloads = JSON.parse((await readBuilt(path.join(folder, PRELOADS_FILE))) ?? '{}') as Preloads
  const links = (preloads[screen] ?? []).map(
    (file) => `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  if (SIGN_IN.has(screen))
    links.push(`<link rel="preload" as="fetch" crossorigin href="${authPath}/settings">`)
  return page
    .replace(AUTH_PATH, () => `<meta name="leadwire-auth" content="${authPath}" />`)
    .replace('</head>', () => `${links.join('\n    ')}\n  </head>`)
}

async function readBuilt(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
