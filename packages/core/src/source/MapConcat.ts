/** A stream of what a function makes of each element, in their order. */
import { Stream } from "effect"

/**
 * Puts every one of the things that `make` gives for an element into the stream; for `Stream.flattenIterable(Stream.map(self, make))`, which runs a
 * stream of its own for every element: that costs several times what an adapter does with a record, and keeps garbage alive until the heap is
 * collected as a whole.
 */
export const mapConcat =
  <A, B>(make: (element: A) => ReadonlyArray<B>) =>
  <E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<B, E, R> =>
    Stream.mapAccumArray(
      self,
      () => undefined,
      (_, some) => [undefined, some.flatMap((element) => make(element))]
    )
