/** Spans where somebody listens: a document's cost something, and Effect's own tracer hands them to nobody. */
import { Effect, Tracer } from "effect"

/** Within a span, unless the tracer is Effect's own; `options` is asked, and what the effect came to is noted, only then. */
export const traced = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  options: () => Tracer.SpanOptions,
  noted?: (value: A) => Record<string, unknown>
): Effect.Effect<A, E, R> =>
  Effect.withFiber<A, E, R>((fiber) => {
    if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return effect
    const noting =
      noted === undefined ? effect : Effect.tap(effect, (value) => Effect.annotateCurrentSpan(noted(value)))
    return Effect.withSpan(noting, name, { ...options(), captureStackTrace: false }) as Effect.Effect<A, E, R>
  })
