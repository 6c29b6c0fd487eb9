import type { ReactNode } from 'react'
import type { SiteContent } from './site-content.ts'

/** A page of the public site. */
export interface SitePage {
  path: string
  /** without the product's name */
  title: string
  /** for search engines and shared links: one or two sentences */
  description: string
  render: (content: SiteContent) => ReactNode
  /** scripts of what moves on it (web/site/client) */
  islands?: readonly string[]
  /** false keeps it out of search engines */
  isListed?: boolean
  /** `missing`: of what is not there below its path; `failure`: of what could not be made. A page of its own where it does not say */
  kind?: 'missing' | 'failure'
  /** when it was last changed, where it says so */
  updated?: string
  /** schema.org, as JSON-LD */
  structured?: Readonly<Record<string, unknown>>
  /** where it is an article: the page's Open Graph type */
  isArticle?: boolean
}
