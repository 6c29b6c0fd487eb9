/**
 * A fictional lead; `intended` is the moment at which it was meant to be sent, milliseconds since the epoch.
 */
export function leadOf(
  externalId: string,
  index: number,
  intended: number,
  comments = 'Please call in the afternoon.',
): Record<string, unknown> {
  return {
    external_id: externalId,
    name: `Avery Example ${index}`,
    email: `avery${index}@example.com`,
    // A different person each time: the market sells nobody twice.
    phone: `+1512${String(3_000_000 + (index % 900_000))}`,
    address1: '100 Example Street',
    city: 'Fresno',
    state: 'CA',
    zip: '90001',
    lead_type: 'final_expense',
    comments,
    custom: { intended: intended.toFixed(3) },
  }
}
