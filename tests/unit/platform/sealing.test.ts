import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('everything that seals goes through the keyring, which names the column', () => {
  const files = globSync(['core/**/*.ts', 'server/**/*.ts', 'worker/**/*.ts'])
  const cipher = files.filter((file) => /createCipheriv|\bsealValue\b/.test(readFileSync(file, 'utf8')))
  expect(cipher.toSorted()).toEqual([
    'core/secrets/keyring.ts',
    'core/secrets/secret-box.ts',
    'core/use-cases/secrets/reset-lost-secrets.ts',
    'core/use-cases/secrets/rotate-secrets.ts',
  ])
})
