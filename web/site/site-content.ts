/** What the build hands to the renderer (scripts/site/build-site.ts). */
export interface SiteContent {
  assets: SiteAssets
  /** addresses of the pictures that shared links show, by their pages' paths */
  cards: Readonly<Record<string, string>>
  /** when the site is built */
  builtAt: string
  /** what stands in docs/site, rendered */
  documentation: readonly SiteArticle[]
  blog: readonly SiteArticle[]
  legal: readonly SiteArticle[]
  /** pages of one text each, by their names */
  texts: readonly SiteArticle[]
}

export interface ArticleHeading {
  level: 'h2' | 'h3'
  text: string
  anchor: string
}

export interface SiteArticle {
  slug: string
  path: string
  title: string
  description: string
  html: string
  headings: readonly ArticleHeading[]
  /** to read it */
  minutes: number
  order: number
  /** of the documentation's menu */
  group: string
  tags: readonly string[]
  author: string
  /** a legal page in plain words */
  summary: string
  /** YYYY-MM-DD */
  date?: string
  updated?: string
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

/** What the picture of a shared link says. */
export interface SiteCard {
  path: string
  /** the part of the site, above the title */
  kicker: string
  title: string
  text: string
}

export interface RenderedPage {
  path: string
  html: string
  /** web/site/site-page.ts */
  kind: 'page' | 'missing' | 'failure'
  /** stands in the sitemap */
  isListed: boolean
  updated?: string
}

/** What `web/site/render-site.tsx` exports once it is built. */
export interface SiteRenderer {
  renderSite: (content: SiteContent) => RenderedPage[]
  listCards: (content: SiteContent) => SiteCard[]
  highlightCode: (code: string, language: string) => string
}
