import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// A process that strips types itself keeps the compiler in memory, and so do its children
// (docs/decisions/0035-memory-of-the-processes.md).
test('server and worker cache compiled code for the next start, however they are started', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  for (const command of [scripts['server'], scripts['worker'], readFileSync('Dockerfile', 'utf8')])
    expect(command).toMatch(/NODE_COMPILE_CACHE=\S+/)
})
