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
  /** islands on the page (web/site/client) */
  islands?: readonly string[]
  /** false keeps it out of search engines */
  isListed?: boolean
  /**
   * `missing`: shown for unknown paths below its own; `failure`: shown if a page could not be made;
   * undefined: a page with its own address
   */
  kind?: 'missing' | 'failure'
  /** day of the last change, if known */
  updated?: string
  /** schema.org data, written as JSON-LD */
  structured?: Readonly<Record<string, unknown>>
  /** true for an article, which sets the Open Graph type */
  isArticle?: boolean
}
