import path from 'node:path'
import type { Plugin } from 'vite'

/** Vite's own module through which every `import()` of a build goes. */
const HELPER = '\0vite/preload-helper.js'
const OURS = path.resolve('web/app/bring-part.ts')

/** Lets every `import()` of a build go through web/app/bring-part.ts, which gets the names of all files that it needs. */
export function bringParts(): Plugin {
  let isReplaced = false
  return {
    name: 'bring-parts',
    enforce: 'pre',
    apply: 'build',
    config: () => ({
      build: {
        // One style sheet, which the page names: a part has none of its own that would have to be added to it.
        cssCodeSplit: false,
        modulePreload: {
          // Vite leaves out a part that needs no other file.
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
