import { SentinelConnector, type Redis } from 'ioredis'

type Tell = Parameters<SentinelConnector['connect']>[0]
/** A method of ioredis, private in its types. */
interface Opening {
  connectToSentinel: (...given: unknown[]) => Redis
}

/**
 * Finds the master by Sentinels, as ioredis does. ioredis also keeps a connection to each Sentinel, to hear of a new
 * master, and listens to none of their errors: it writes each to standard error as text. Here they are events
 * `sentinelError` of the connection, like those of the search for the master.
 */
export class TellingSentinelConnector extends SentinelConnector {
  #tell: Tell | undefined

  /** @param options of the connection, as ioredis gives them to its own connectors */
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0])
    const own = this as unknown as Opening
    const open = own.connectToSentinel.bind(this)
    own.connectToSentinel = (...given) => {
      const client = open(...given)
      client.on('error', (error: Error) => {
        this.#tell?.('sentinelError', error)
      })
      return client
    }
  }

  override connect(tell: Tell) {
    this.#tell = tell
    return super.connect(tell)
  }
}
