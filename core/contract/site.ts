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
  /** what is sent in place of a page that could not be made */
  failure: string
}

/** Stands for the id of the failure in that page. */
export const FAILURE_ID_MARK = 'error-id-of-this-answer'

/** Of the built web app: by the name of a screen, the addresses of the files that it needs beside those of the page itself. */
export type Preloads = Record<string, readonly string[]>

/** Where the build writes them, within the built web app. */
export const PRELOADS_FILE = '.preloads.json'
