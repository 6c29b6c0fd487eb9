import { afterAll, beforeAll } from 'vitest'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startApp, type Person, type TestApp } from './start-app.ts'

/** The product, one client, and an endpoint of theirs. */
export interface WithEndpoint {
  app: TestApp
  client: Person
  receiver: Receiver
}

/** Starts them before the tests of the calling file, and ends them afterwards. */
export function openWithEndpoint(): WithEndpoint {
  let app: TestApp
  let client: Person
  let receiver: Receiver
  beforeAll(async () => {
    app = await startApp()
    client = await app.newClient()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await receiver.close()
    await app.close()
  })
  return {
    get app() {
      return app
    },
    get client() {
      return client
    },
    get receiver() {
      return receiver
    },
  }
}
