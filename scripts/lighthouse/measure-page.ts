import type { Lighthouse, LighthouseResult } from './fetch-lighthouse.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

export interface PageFigures {
  /** out of 100; the median of the runs */
  scores: Record<Category, number>
  /** in seconds */
  contentfulPaint: number
  layoutShift: number
  /** total transfer in KB */
  weight: number
  /** audits that kept a category below 100, except those of speed */
  faults: string[]
}

/** Uses Lighthouse's mobile settings: a slow phone on slow 4G, simulated. */
export async function measurePage(
  lighthouse: Lighthouse,
  url: string,
  port: number,
  runs: number,
): Promise<PageFigures> {
  const results: LighthouseResult[] = []
  while (results.length < runs) {
    // The not-found page is measured like a page.
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      ignoreStatusCode: true,
      onlyCategories: CATEGORIES,
      disableFullPageScreenshot: true,
    })
    if (result === undefined || result.lhr.runtimeError !== undefined)
      throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? 'nothing was measured'}`)
    results.push(result.lhr)
  }
  const score = (category: Category) =>
    Math.round(median(results.map(({ categories }) => categories[category]?.score ?? 0)) * 100)
  const value = (audit: string) => median(results.map(({ audits }) => audits[audit]?.numericValue ?? NaN))
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    contentfulPaint: value('largest-contentful-paint') / 1000,
    layoutShift: value('cumulative-layout-shift'),
    weight: value('total-byte-weight') / 1000,
    faults: listFaults(results[0]),
  }
}

function listFaults(result: LighthouseResult | undefined): string[] {
  return Object.values(result?.audits ?? {})
    .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
    .map(({ id }) => id)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}
