import type { SiteArticle } from '../site-content.ts'

export interface NeighboursProps {
  label: string
  before: SiteArticle | undefined
  after: SiteArticle | undefined
}

export function Neighbours({ label, before, after }: NeighboursProps) {
  if (before === undefined && after === undefined) return null
  return (
    <nav
      aria-label={label}
      className="mt-16 grid max-w-[43.75rem] gap-4 border-t border-line pt-6 sm:grid-cols-2 print:hidden"
    >
      {before === undefined ? <span /> : <Neighbour word="Before" article={before} />}
      {after !== undefined && <Neighbour word="Next" article={after} isNext />}
    </nav>
  )
}

function Neighbour({ word, article, isNext }: { word: string; article: SiteArticle; isNext?: boolean }) {
  return (
    <a href={article.path} className={`group rounded-md ${isNext === true ? 'sm:text-right' : ''}`}>
      <span className="block text-xs text-faint">{word}</span>
      <span className="text-sm font-medium text-accent-strong group-hover:underline">{article.title}</span>
    </a>
  )
}
