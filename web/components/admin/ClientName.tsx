import { Link } from 'react-router-dom'
import type { DeadLetter } from '#core/contract/operations/dead-letter.ts'
import { adminItemPath } from '../../paths.ts'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'

/** Links a client's name to the client's page, with the email address on hover. */
export function ClientName({ client }: { client: DeadLetter['client'] }) {
  return (
    <Tooltip content={client.email}>
      <Link
        to={adminItemPath('clients', client.user_id)}
        className="-my-1 block max-w-40 min-w-6 truncate rounded-sm py-1 hover:underline"
      >
        {clientLabel(client)}
      </Link>
    </Tooltip>
  )
}

export function clientLabel(client: DeadLetter['client']) {
  return client.name === null || client.name === '' ? client.email : client.name
}
