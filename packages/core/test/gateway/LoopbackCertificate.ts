/** A self-signed certificate for localhost (and not for 127.0.0.1), made for these tests and trusted by nobody. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUflnQVuyfLJ7iy2mjXcYrHc3hRYAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA0MzExOVoYDzIxMjYxMDI4
MDQzMTE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASehFe7dhfkSq3xyN42V60Z77WZuQHQyzAZc8LfuKUvNjLHafaSi8H8
a8VucrnpVWQrRokpncIkyaqKouC+yMm1o2kwZzAdBgNVHQ4EFgQUGBnoVt7yazqs
HCE7bvBQ4zFONPIwHwYDVR0jBBgwFoAUGBnoVt7yazqsHCE7bvBQ4zFONPIwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgSxu+Mjs9PDKHiLZjqqxfly9hP9x/EdWotcONKc18ySoCIDgQxP6YYZ/p
lD0Hb5VmxZlLUMRb42D69lXG+pIT32eO
-----END CERTIFICATE-----
`

export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgY0VSbjutTPYDSahr
NbzoI+I5ZeENdnrfSzSYyuyC8FyhRANCAASehFe7dhfkSq3xyN42V60Z77WZuQHQ
yzAZc8LfuKUvNjLHafaSi8H8a8VucrnpVWQrRokpncIkyaqKouC+yMm1
-----END PRIVATE KEY-----
`
