import type { OrderChecklist } from '#core/contract/market/order.ts'
import { describeOrder, type OrderToDescribe } from './orders/describe-order.ts'
import { sayMinutes } from './say-minutes.ts'

type Line = Omit<OrderChecklist['data'][number], 'fix'>
type Code = Line['code']
type NamedOrder = OrderToDescribe & { name: string }

/** The deliveries of bought leads: the configurations that take them, and the result of their newest attempt. */
export interface DeliveryStanding {
  active: number
  last_failed: boolean | null
}

/**
 * The obstacles between orders and leads, in the order in which they are checked: how each is found, and the order
 * without it.
 */
const STEPS: readonly { code: Code; good: string; lift: (order: NamedOrder) => NamedOrder }[] = [
  {
    code: 'account_active',
    good: 'Your account is active',
    lift: (order) => ({ ...order, account: { ...order.account, is_active: true } }),
  },
  {
    code: 'order_active',
    good: 'An order is switched on',
    lift: (order) => ({ ...order, paused_by: null }),
  },
  {
    code: 'in_date_range',
    good: 'An order is within its dates',
    lift: (order) => ({ ...order, starts_at: null, ends_at: null }),
  },
  {
    code: 'schedule_open',
    good: 'An order’s hours are open',
    lift: (order) => ({ ...order, schedule: null }),
  },
  {
    code: 'state_selected',
    good: 'An order asks for states that you may buy',
    lift: (order) => ({ ...order, states: [], account: { ...order.account, licensed_states: [] } }),
  },
  {
    code: 'under_caps',
    good: 'An order is under its caps and budgets',
    lift: (order) => ({ ...order, ...NO_LIMITS }),
  },
  {
    code: 'funded',
    good: 'Your balance covers a lead',
    lift: (order) => order,
  },
]
const NO_LIMITS = {
  daily_cap: null,
  weekly_cap: null,
  monthly_cap: null,
  total_cap: null,
  daily_budget: null,
  monthly_budget: null,
}

/**
 * Explains why leads come or do not (docs/product.md §2). A line is good if an order passes it and all lines before it,
 * or would pass if those before were fixed.
 */
export function writeChecklist(
  orders: readonly NamedOrder[],
  deliveries: DeliveryStanding,
  at: Date,
): Line[] {
  return [
    ...(orders.length === 0 ? [NO_ORDER] : judgeSteps(orders, at)),
    ...tellLeadAge(orders),
    ...judgeDeliveries(deliveries),
  ]
}

/** The age of leads at which no order takes them any more; nothing if an order takes every age. */
function tellLeadAge(orders: readonly NamedOrder[]): Line[] {
  const most = Math.max(...orders.map((order) => order.max_lead_age_minutes ?? Infinity))
  if (!Number.isFinite(most)) return []
  const sentence = `You take leads up to ${sayMinutes(most)} old; older ones that we hold go to others`
  return [{ code: 'lead_age', ok: true, sentence }]
}

const NO_ORDER: Line = { code: 'order_active', ok: false, sentence: 'You have no order yet' }

function judgeSteps(orders: readonly NamedOrder[], at: Date): Line[] {
  let candidates = orders
  return STEPS.map(({ code, good, lift }, index) => {
    // Later obstacles are lifted too, so that only this one can be in the way.
    const judged = candidates.map((order) => {
      const only = STEPS.slice(index + 1).reduce((rest, step) => step.lift(rest), keep(code, order))
      return { order, state: describeOrder(only, at) }
    })
    const passed = judged.filter(({ state }) => state.code === 'active')
    candidates = passed.length === 0 ? candidates.map(lift) : passed.map(({ order }) => order)
    const [first] = judged
    if (passed.length > 0 || first === undefined) return { code, ok: true, sentence: good }
    return { code, ok: false, sentence: sayWhose(code, first, orders.length) }
  })
}

/** Money is checked last; all other checks leave it out. */
function keep(code: Code, order: NamedOrder): NamedOrder {
  if (code === 'funded') return order
  return { ...order, account: { ...order.account, balance: Number.MAX_SAFE_INTEGER } }
}

function sayWhose(
  code: Code,
  { order, state }: { order: NamedOrder; state: { sentence: string } },
  count: number,
): string {
  // A pause names what is paused, even if there is only one order.
  if (code === 'order_active')
    return `“${order.name}” is ${state.sentence.charAt(0).toLowerCase()}${state.sentence.slice(1)}`
  return count === 1 || code === 'account_active' || code === 'funded'
    ? state.sentence
    : `${order.name}: ${state.sentence}`
}

function judgeDeliveries({ active, last_failed }: DeliveryStanding): Line[] {
  const hasMethod = active > 0
  return [
    {
      code: 'delivery_method',
      ok: hasMethod,
      sentence: hasMethod
        ? 'A webhook takes assigned leads'
        : 'No active webhook takes assigned leads; they wait for you under Leads',
    },
    {
      code: 'last_delivery',
      ok: last_failed !== true,
      sentence:
        last_failed === null
          ? 'Nothing has been delivered yet'
          : last_failed
            ? 'The last delivery failed'
            : 'The last delivery succeeded',
    },
  ]
}
