/** The content that the build gives to the renderer (scripts/site/build-site.ts). */
export interface SiteContent {
  assets: SiteAssets
  /** URLs of the pictures for shared links, by page path */
  cards: Readonly<Record<string, string>>
  /** time of the build */
  builtAt: string
  /** rendered documents of docs/site */
  documentation: readonly SiteArticle[]
  blog: readonly SiteArticle[]
  legal: readonly SiteArticle[]
  /** pages with one text each, by name */
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
  /** reading time */
  minutes: number
  order: number
  /** group in the documentation's menu */
  group: string
  tags: readonly string[]
  author: string
  /** summary of a legal page in plain words */
  summary: string
  /** YYYY-MM-DD */
  date?: string
  updated?: string
}

/** URLs of built files. */
export interface SiteAssets {
  css: string
  /** the font of every page */
  font: string
  /** script of every page: console and storage rules, copy buttons, the notice after a sign-out */
  script: string
  /** scripts by island name */
  islands: Readonly<Record<string, string>>
}

/** Texts on the picture of a shared link. */
export interface SiteCard {
  path: string
  /** the section of the site, above the title */
  kicker: string
  title: string
  text: string
}

export interface RenderedPage {
  path: string
  html: string
  /** see web/site/site-page.ts */
  kind: 'page' | 'missing' | 'failure'
  /** true if it is in the sitemap */
  isListed: boolean
  updated?: string
}

/** The exports of `web/site/render-site.tsx` after the build. */
export interface SiteRenderer {
  renderSite: (content: SiteContent) => RenderedPage[]
  listCards: (content: SiteContent) => SiteCard[]
  highlightCode: (code: string, language: string) => string
}
