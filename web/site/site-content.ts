/** What the build hands to the renderer (scripts/site/build-site.ts). */
export interface SiteContent {
  assets: SiteAssets
  /** when the site is built */
  builtAt: string
}

/** Addresses of built files. */
export interface SiteAssets {
  css: string
  /** the typeface that every page begins with */
  font: string
  /** of every page: what the browser's rules ask for, copy buttons, the notice of who just signed out */
  script: string
  /** by the island's name */
  islands: Readonly<Record<string, string>>
}

export interface RenderedPage {
  path: string
  html: string
  /** of what lies under `path` and is not there */
  isMissing?: boolean
  /** stands in the sitemap */
  isListed: boolean
  updated?: string
}

/** What `web/site/render-site.tsx` exports once it is built. */
export interface SiteRenderer {
  renderSite: (content: SiteContent) => RenderedPage[]
}
