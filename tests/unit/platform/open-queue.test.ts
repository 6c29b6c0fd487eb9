import { expect, test } from 'vitest'
import { openProducerQueue } from '#core/queue/open-queue.ts'

type Given = Parameters<typeof openProducerQueue>[0]

test('a queue that could not be opened is opened anew by the next call, whatever went wrong', async () => {
  let tries = 0
  const redis = {
    get clusterNodes() {
      tries += 1
      throw new Error(`failure ${tries}`)
    },
  }
  const context = { config: { redis }, connection: { status: 'ready' }, onError: () => undefined }
  const queue = openProducerQueue(context as unknown as Given, 'deliveries')
  await expect(queue.get()).rejects.toThrow('failure 1')
  await expect(queue.get()).rejects.toThrow('failure 2')
  await queue.close()
})
