import type { PageFigures } from './measure-page.ts'

/** docs/measurements/browser.md */
const LEAST_PERFORMANCE = 97
/** The sign-in screen is part of the app. */
const LEAST_OF_APP = 95

export function tableHead(): string {
  return [
    '| page | performance | accessibility | best practices | SEO | LCP, s | CLS | KB |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ].join('\n')
}

/** @param page its path */
export function writeRow(page: string, figures: PageFigures): string {
  const { scores, contentfulPaint, layoutShift, weight, faults } = figures
  const cells = [
    `\`${page}\``,
    ...Object.values(scores),
    contentfulPaint.toFixed(2),
    layoutShift.toFixed(3),
    weight.toFixed(0),
  ]
  return `| ${cells.join(' | ')} |${isGood(page, figures) ? '' : ` <!-- ${faults.join(', ')} -->`}`
}

export function isGood(page: string, { scores }: PageFigures): boolean {
  const { performance, ...others } = scores
  return (
    performance >= (page === '/auth' ? LEAST_OF_APP : LEAST_PERFORMANCE) &&
    Object.values(others).every((score) => score === 100)
  )
}
