import path from 'node:path'
import type { Plugin } from 'vite'

/** Vite's own module that every `import()` of a build calls. */
const HELPER = '\0vite/preload-helper.js'
const OURS = path.resolve('web/app/bring-part.ts')

/**
 * Makes every `import()` of a build call web/app/bring-part.ts with the names of all files that the import
 * needs.
 */
export function bringParts(): Plugin {
  let isReplaced = false
  return {
    name: 'bring-parts',
    enforce: 'pre',
    apply: 'build',
    config: () => ({
      build: {
        // One style sheet, which the page names, so that no chunk has to add one of its own.
        cssCodeSplit: false,
        modulePreload: {
          // Vite skips this for a chunk that needs no other file.
          resolveDependencies: (part, files, { hostType }) =>
            hostType === 'js' && !files.includes(part) ? [part, ...files] : files,
        },
      },
    }),
    load(id) {
      if (id !== HELPER) return null
      isReplaced = true
      return `export { bringPart as __vitePreload } from ${JSON.stringify(OURS)}`
    },
    generateBundle(_options, bundle) {
      const hasParts = Object.values(bundle).some(
        (file) => file.type === 'chunk' && file.dynamicImports.length > 0,
      )
      if (hasParts && !isReplaced) this.error(`Vite's helper is no longer ${HELPER.slice(1)}`)
    },
  }
}
