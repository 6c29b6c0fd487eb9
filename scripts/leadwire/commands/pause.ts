import { defineCommand } from '../command.ts'
import { CHANGE_FLAGS } from '../open-operator.ts'
import { pauseOrResume } from '../pause.ts'

export const pause = defineCommand({
  usage: '<client | webhook | queue | source> <id, e-mail or name>',
  about: [
    'client: pauses all sending to a client, named by its id or address. Everything for it waits as held, also what comes meanwhile. The client reads the reason.',
    'webhook: switches one webhook off. The client reads the reason, and can switch it on again.',
    'queue: lead-events, lead-events-burst, lead-market or webhook-deliveries, in every shard. Pausing webhook-deliveries stops all sending. It needs Redis, and lasts until it is resumed or Redis loses its data.',
    'source: refuses leads under the keys of a source (403). Leads that came before are sold and delivered, and imports go on.',
    'Requests under way end as they end. A repeat is harmless. Undo it with `leadwire resume`.',
  ],
  args: [2, 2],
  flags: CHANGE_FLAGS,
  run: (call) => pauseOrResume(call, 'pause'),
})
