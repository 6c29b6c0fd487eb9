import type { DeadLetter } from '#core/contract/operations/dead-letter.ts'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'

/** Shows a client's name, with the email address on hover. */
export function ClientName({ client }: { client: DeadLetter['client'] }) {
  return (
    <Tooltip content={client.email}>
      <span tabIndex={0} className="block max-w-40 truncate rounded-sm">
        {clientLabel(client)}
      </span>
    </Tooltip>
  )
}

export function clientLabel(client: DeadLetter['client']) {
  return client.name === null || client.name === '' ? client.email : client.name
}
