/* Feeds the files named on the command line to a fuzz target, where libFuzzer is not at hand. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		if (!file) {
			perror(argv[i]);
			return 1;
		}
		/* Exactly as large as the input, so that a sanitizer sees a read past it. */
		fseek(file, 0, SEEK_END);
		size_t size = (size_t)ftell(file);
		rewind(file);
		uint8_t *data = malloc(size > 0 ? size : 1);
		if (fread(data, 1, size, file) != size)
			return 1;
		fclose(file);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	return argc > 1 ? 0 : 1;
}
