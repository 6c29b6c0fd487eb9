import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = new URL('../../../', import.meta.url).pathname
const WORKFLOWS = path.join(ROOT, '.github/workflows')

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, { 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }>
}

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test.each(readdirSync(WORKFLOWS))('%s has few rights, ends in time and runs what exists', (file) => {
  const { permissions, jobs } = parse(readFileSync(path.join(WORKFLOWS, file), 'utf8')) as Workflow
  expect(Object.keys(permissions)).toEqual(['contents'])
  for (const { 'timeout-minutes': minutes, steps } of Object.values(jobs)) {
    expect(minutes).toBeGreaterThan(0)
    for (const { uses = 'a/b@v1', run = '' } of steps) {
      expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/)
      for (const [, script = ''] of run.matchAll(/\bnpm (?:run )?(test|start|check|build)\b/g))
        expect(scripts).toHaveProperty(script)
      for (const [, script = ''] of run.matchAll(/\bnode (\S+\.ts)/g))
        expect(existsSync(path.join(ROOT, script)), script).toBe(true)
    }
  }
})

const run = (...args: string[]) =>
  execFileSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 32 * 1024 * 1024,
  })

test('the notes of a release are its section of the changelog, and an unknown release has none', () => {
  expect(run('scripts/print-release-notes.ts', '0.1.0')).toMatch(/^The first release\./)
  expect(() => run('scripts/print-release-notes.ts', '0.1')).toThrow(
    'CHANGELOG.md has no section "## 0.1 (date)"',
  )
})

test('each package that production needs is listed with its licence', () => {
  const listed = run('scripts/list-licences.ts')
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const left = Object.entries(dependencies).filter(
    ([name, version]) => !listed.includes(`\n${name} ${version}: `),
  )
  expect(left).toEqual([])
})
