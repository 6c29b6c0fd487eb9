import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'

type Chunk = Rolldown.OutputChunk

export interface Chunks {
  /** The files that a page with these modules loads, those of the app's entry first. */
  listFiles: (parts: readonly string[]) => string[]
  /** in KB (1,000 bytes), compressed with gzip */
  weigh: (file: string) => number
}

/** @param root folder of the web app; the names of modules are relative to it */
export function readChunks(bundle: Rolldown.OutputBundle, root: string): Chunks {
  const chunks = Object.values(bundle).filter((file): file is Chunk => file.type === 'chunk')
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const weights = new Map<string, number>()

  function find(part: string): string {
    const module = path.join(root, part)
    const found = chunks.find(({ moduleIds }) => moduleIds.includes(module))
    if (found === undefined) throw new Error(`No chunk has the module ${part}`)
    return found.fileName
  }

  function follow(file: string, found: Set<string>): void {
    if (found.has(file)) return
    found.add(file)
    for (const imported of byFile.get(file)?.imports ?? []) follow(imported, found)
  }

  return {
    listFiles(parts) {
      const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
      const found = new Set<string>()
      for (const file of [...entries, ...parts.map(find)]) follow(file, found)
      return [...found]
    },
    weigh(file) {
      const known = weights.get(file)
      if (known !== undefined) return known
      const weight = gzipSync(byFile.get(file)?.code ?? '', { level: 9 }).length / 1000
      weights.set(file, weight)
      return weight
    },
  }
}
