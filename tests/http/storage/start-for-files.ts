import { randomUUID } from 'node:crypto'
import { afterAll, expect } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { openStorage, type StorageOf } from './open-storage-client.ts'
import { PNG } from './pictures.ts'

/** Starts a server with two approved clients for all tests of the file; it is closed after the last one. */
export async function startForFiles(): Promise<{
  app: TestApp
  owner: Person
  stranger: Person
  /** the client library's storage, as this person */
  as: (person: Person) => StorageOf
  evidence: (person: Person) => ReturnType<StorageOf['from']>
  /** Stores a picture as evidence; returns its name. */
  givenEvidence: (person: Person, account?: Person) => Promise<string>
}> {
  const app = await startApp()
  afterAll(() => app.close())
  const as = (person: Person): StorageOf => openStorage(app.url, person.token)
  const evidence = (person: Person): ReturnType<StorageOf['from']> => as(person).from('evidence')
  return {
    app,
    owner: await app.newApprovedClient(),
    stranger: await app.newApprovedClient(),
    as,
    evidence,
    givenEvidence: async (person, account = person) => {
      const name = `${account.id}/proof-${randomUUID()}.png`
      const { error } = await evidence(person).upload(name, PNG, { contentType: 'image/png' })
      expect(error).toBeNull()
      return name
    },
  }
}
