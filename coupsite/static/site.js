// Small conveniences. Every page works without this file.
"use strict";
