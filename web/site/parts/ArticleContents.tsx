import clsx from 'clsx'
import type { ArticleHeading } from '../site-content.ts'

export interface ArticleContentsProps {
  headings: readonly ArticleHeading[]
  className?: string
}

/** Links to the headings of a page. A single heading needs no list. */
export function ArticleContents({ headings, className }: ArticleContentsProps) {
  if (headings.length < 2) return null
  return (
    <nav aria-label="On this page" className={clsx('text-sm print:hidden', className)}>
      <h2 className="text-xs font-medium text-faint">On this page</h2>
      <ul className="mt-1 border-l border-line">
        {headings.map(({ anchor, text, level }) => (
          <li key={anchor}>
            <a
              href={`#${anchor}`}
              className={clsx(
                '-ml-px block border-l border-transparent wrap-anywhere py-1 text-muted hover:border-line-strong hover:text-ink',
                level === 'h3' ? 'pl-6' : 'pl-3',
              )}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
