import { INTEGRATION_CATALOGUE } from '#core/contract/webhooks/integration-catalogue.ts'

/** For display only; nothing here can be pressed (docs/product.md §2). */
export function IntegrationCatalogue() {
  return (
    <section aria-labelledby="popular-integrations">
      <h2 id="popular-integrations" className="text-base font-semibold">
        Popular integrations
      </h2>
      <p className="mt-0.5 text-sm text-muted">Anything that can receive a webhook can receive your leads.</p>
      <div className="mt-4 grid overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4">
        {INTEGRATION_CATALOGUE.map(({ name, hint, items }) => (
          <div
            key={name}
            className="border-line p-5 not-first:border-t sm:nth-2:border-t-0 sm:even:border-l lg:border-t-0! lg:not-first:border-l"
          >
            <h3 className="text-sm font-semibold">{name}</h3>
            <p className="mt-0.5 text-xs text-muted">{hint}</p>
            <ul className="mt-3 flex flex-col gap-1.5 text-sm">
              {items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}
