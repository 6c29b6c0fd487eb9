import type { Analytics } from '#core/contract/market/analytics.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'

export function LeadsByState({ states, behind }: { states: Analytics['states']; behind: ListBehind }) {
  const name = (state: string | null) => (state === null ? 'No state' : (STATE_NAMES[state] ?? state))
  return (
    <Card title="By state" flush>
      <Table label="Leads by state" className="max-h-96">
        <TableHead>
          <HeaderCell>State</HeaderCell>
          <HeaderCell numeric>Leads</HeaderCell>
          <HeaderCell numeric>Spend</HeaderCell>
          <HeaderCell numeric>Returned</HeaderCell>
          <HeaderCell numeric>Contacted</HeaderCell>
          <HeaderCell numeric>Sold</HeaderCell>
        </TableHead>
        <tbody>
          {states.map(({ state, leads, spend, returned, contacted, sold }) => (
            <Row key={state ?? ''}>
              <Cell className="whitespace-nowrap">{name(state)}</Cell>
              <Cell numeric>
                <NumberLink
                  leads={leads}
                  to={state === null ? undefined : behind({ state })}
                  of={name(state)}
                />
              </Cell>
              <Cell numeric>{formatMoney(spend)}</Cell>
              <Cell numeric>{formatRate(returned / leads)}</Cell>
              <Cell numeric>{formatRate(contacted / leads)}</Cell>
              <Cell numeric>{formatRate(sold / leads)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
