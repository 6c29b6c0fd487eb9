import type { Plugin, ResolvedConfig } from 'vite'
import { PRELOADS_FILE, type Preloads } from '#core/contract/site.ts'
import { readChunks } from './read-chunks.ts'
import { findTooHeavy, listRoutes, ROUTE_BUDGETS, showRoute, type Route } from './route-budgets.ts'

/**
 * Weighs the first load of each route and fails if it is above its budget. Writes the list of files that the
 * server names to a browser before the app requests them (server/http/web/open-page.ts).
 */
export function holdBudgets(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'hold-budgets',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    generateBundle(_options, bundle) {
      const { listFiles, weigh } = readChunks(bundle, config.root)
      const start = new Set(listFiles([]))
      const weights = new Map<Route, number>()
      const rows: string[] = []
      const preloads: Preloads = {}
      for (const route of listRoutes()) {
        const { budget, parts } = ROUTE_BUDGETS[route]
        const files = listFiles(parts)
        const weight = files.reduce((sum, file) => sum + weigh(file), 0)
        weights.set(route, weight)
        preloads[route] = files.filter((file) => !start.has(file)).map((file) => `/${file}`)
        rows.push(`| ${showRoute(route)} | ${weight.toFixed(1)} | ${budget} | ${files.length} |`)
      }
      const head = ['| first load | KB, gzip | budget | files |', '| --- | ---: | ---: | ---: |']
      config.logger.info(['', ...head, ...rows].join('\n'))
      const over = findTooHeavy(weights)
      if (over.length > 0) this.error(['Too heavy (scripts/app-build/route-budgets.ts):', ...over].join('\n'))
      this.emitFile({ type: 'asset', fileName: PRELOADS_FILE, source: JSON.stringify(preloads, null, 2) })
    },
  }
}
