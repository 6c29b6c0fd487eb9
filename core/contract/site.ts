/**
 * Stands for the address of the installation (PUBLIC_URL) in the pages that are made at build: the server puts the real one in its place.
 * RFC 6761 keeps the name from ever being anybody's.
 */
export const SITE_ORIGIN_MARK = 'https://site.invalid'

/** Where the build puts the public site, within the built web app: a name with a dot is no file that is sent by its own address. */
export const SITE_FOLDER = '.site'

/** `index.json` of that folder. */
export interface SiteIndex {
  /** the file of each path */
  pages: Readonly<Record<string, string>>
  /** the not-found page of whatever lies under a path; that of `/` is everybody's */
  missing: Readonly<Record<string, string>>
}
