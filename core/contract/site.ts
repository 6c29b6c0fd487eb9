/**
 * A placeholder for the address of the installation (PUBLIC_URL) in pages that are made at build: the server replaces
 * it. RFC 6761 reserves the name, so nobody can own it.
 */
export const SITE_ORIGIN_MARK = 'https://site.invalid'

/**
 * The folder of the public site within the built web app: a name with a dot is never sent as a file by its own address.
 */
export const SITE_FOLDER = '.site'

/** `index.json` of that folder. */
export interface SiteIndex {
  /** the file of each path */
  pages: Readonly<Record<string, string>>
  /** the not-found page for paths below a path; that of `/` is the general one */
  missing: Readonly<Record<string, string>>
  /** the page that is sent if a page could not be made */
  failure: string
}

/** A placeholder for the id of the failure in that page. */
export const FAILURE_ID_MARK = 'error-id-of-this-answer'

/**
 * For the built web app: the addresses of the files that each screen needs, beside those of the page itself, by the
 * screen's name.
 */
export type Preloads = Record<string, readonly string[]>

/** The file in which the build writes them, within the built web app. */
export const PRELOADS_FILE = '.preloads.json'
