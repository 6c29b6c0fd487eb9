import { ADMIN_PLACES, APP_PATHS } from '#core/contract/paths.ts'

// Upper and lower case match alike, as in the router.
const PATTERNS = Object.entries(APP_PATHS).map(([name, path]) => {
  const pattern = path.replaceAll(/:[a-z]+/g, (part) =>
    part === ':place' ? `(${ADMIN_PLACES.join('|')})` : '[^/]+',
  )
  return [name, new RegExp(`^${pattern}/?$`, 'i')] as const
})

/** The name of the web app's screen at this path; without one, the server answers 404 with the not-found page. */
export function nameAppPath(pathname: string): string | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(pathname))?.[0]
}

export function isAppPath(pathname: string): boolean {
  return nameAppPath(pathname) !== undefined
}
