import { Link } from 'react-router-dom'
import type { Client } from '#core/contract/accounts/named-client.ts'
import { adminItemPath } from '../../paths.ts'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'

/** Links a client's name to the client's page, with the email address on hover. */
export function ClientName({ client }: { client: Client }) {
  return (
    <Tooltip content={client.email}>
      <Link
        to={adminItemPath('clients', client.user_id)}
        className="-my-1 block max-w-40 min-w-6 truncate 2xl:max-w-52 rounded-sm py-1 hover:underline"
      >
        {client.name}
      </Link>
    </Tooltip>
  )
}
