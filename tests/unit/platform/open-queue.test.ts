import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { openProducerQueue } from '#core/queue/open-queue.ts'

test('a queue that could not be opened is opened anew by the next call, whatever went wrong', async () => {
  let tries = 0
  const redis = {
    queuePrefix: 'test',
    get clusterNodes(): undefined {
      tries += 1
      throw new Error(`failure ${tries}`)
    },
  }
  const connection = new Redis({ lazyConnect: true })
  connection.status = 'ready'
  const queue = openProducerQueue({ config: { redis }, connection, onError: () => undefined }, 'deliveries')
  await expect(queue.get()).rejects.toThrow('failure 1')
  await expect(queue.get()).rejects.toThrow('failure 2')
  await queue.close()
})
